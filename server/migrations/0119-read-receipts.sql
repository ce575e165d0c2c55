-- owner: me
-- Whether others see how far somebody has read; who does not tell it is not told it either.
alter table users add column read_receipts boolean not null default true;
