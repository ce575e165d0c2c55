-- owner: contacts
-- Names in the order of an address book: without case and accents, by the code points of what is left.
create function name_order(name text) returns text language sql immutable parallel safe
  return regexp_replace(normalize(lower(name collate "default"), nfd), '[\u0300-\u036f]', '', 'g') collate "C";
create index contacts_name on contacts (owner_id, name_order(name), id);
