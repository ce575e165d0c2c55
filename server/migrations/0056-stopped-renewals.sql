-- owner: billing
-- Who stopped the renewal of a subscription: what a suspension stopped is resumed when it ends, and what the owner cancelled is not.
alter table subscriptions add column renewal_stopped_by text check (renewal_stopped_by in ('owner', 'suspension'));
