/** A self-signed certificate of `localhost` and its key: of no value outside of tests on loopback. */
export const test_key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg42XvE6rSma8Y4twx
2VFb9+xQj5LK7SITbDKliPvo4iyhRANCAARbKdJXPB/lInrSQj65t7VzdnlyLHO/
bCw+VYgl2DzKJlMi3S1cmn8vnzmIr6zpBWkkikjOApBtY1B6vM1Rzjv3
-----END PRIVATE KEY-----
`;

/** The certificate of that key: self-signed, for `localhost`, as PEM. */
export const test_certificate = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUI7oJZuWJbb/jyDUSi89UQrEUmMMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE3NDI0N1oYDzIxMjYxMDI4
MTc0MjQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARbKdJXPB/lInrSQj65t7VzdnlyLHO/bCw+VYgl2DzKJlMi3S1cmn8v
nzmIr6zpBWkkikjOApBtY1B6vM1Rzjv3o28wbTAdBgNVHQ4EFgQUlmbfRx/AQg5B
Fq0EeInyyGGfjoswHwYDVR0jBBgwFoAUlmbfRx/AQg5BFq0EeInyyGGfjoswDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgPEgQeDvyhGctjaFgehQV9uNwn9XIPpIgZhqqAiyXX5UCIDTB
eRgBuGaCuIZ1TZ54Omvg9+8kItlY5FrOvrEU4ZYO
-----END CERTIFICATE-----
`;
