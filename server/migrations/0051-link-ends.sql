-- owner: public-links
-- By what they open: without it, each look-up of a location link or an invite reads the links of all accounts.
create index public_links_subject on public_links (subject_id);
-- For the deletion of links that have ended.
create index public_links_end on public_links (least(revoked_at, expires_at));
