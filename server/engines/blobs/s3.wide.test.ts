import { testBlobs } from '../../testing/contracts/blobs.contract.ts';
import { connectS3Blobs } from './s3.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

/** `http://ACCESS_KEY:SECRET@HOST:PORT/BUCKET` of a writable bucket. */
const address = process.env.S3_TEST_URL ?? '';

describeUnlessMissing(address ? undefined : 'S3_TEST_URL', 'blobs in a real S3 server', () => {
  testBlobs(() => {
    const { protocol, host, pathname, username, password } = new URL(address);
    return connectS3Blobs({
      endpoint: `${protocol}//${host}`,
      bucket: pathname.slice(1),
      region: 'us-east-1',
      access_key_id: decodeURIComponent(username),
      secret_access_key: decodeURIComponent(password),
    });
  });
});
