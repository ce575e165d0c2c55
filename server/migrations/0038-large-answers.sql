-- owner: kernel
-- The large ones among the answers under idempotency keys, whose total size is bounded for each account.
create index idempotency_large on idempotency (owner, created_at) where octet_length(reply) > 8192;
