// The tables of runs in PostgreSQL. A record is the very line that a journal file holds, with the byte where it would begin there: so
// a run goes from files to rows and back byte for byte, and manifests keep their offsets.

/**
 * Each is applied once, in order, under an advisory lock. `{dr}` is the schema. A migration only adds: a program of the version
 * before works beside it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- The clock that judges leases is the server's. Tests replace this one function.
  create function {dr}.now_ms() returns float8 language sql volatile as
    $$ select floor(extract(epoch from clock_timestamp())::float8 * 1000) $$;

  create table {dr}.run (
    id            bigint generated always as identity primary key,
    root          text   not null,              -- the runs root
    name          text   not null,              -- the last segment of the run root
    made_by       text   not null,              -- who made it, so that a lost answer is recognised
    -- The head of the chain. Every commit is a compare-and-set on it.
    seq           int    not null,
    epoch         int    not null,
    digest        text   not null,
    end_at        bigint not null,              -- the length that journal.jsonl would have
    -- The lease: lock.v1 without refreshed_at, which the server's clock says. claim_epoch is the fence, and only rises.
    claim_epoch   int    not null default 0,
    lease         text,
    refreshed_ms  float8,
    held_until_ms float8,                       -- null when it was released
    -- manifest.json as it was last written, and the record that it folded last.
    manifest      text   not null,
    shown_seq     int    not null,
    -- When it continues by itself: 0 at any time, infinity with an answer alone, null never.
    wakes_ms      float8,
    -- Rises with every request, so that an owner sees with its heartbeat that one is there.
    requests      int    not null default 0,
    -- Until when its records are announced.
    followed_ms   float8,
    unique (root, name)
  ) with (fillfactor = 70);                     -- room for updates in place: no index column changes in a usual commit
  create index run_wakes on {dr}.run (wakes_ms) where wakes_ms is not null;

  create table {dr}.record (
    run    bigint not null references {dr}.run on delete cascade,
    seq    int    not null,
    at     bigint not null,                     -- the byte in journal.jsonl
    line   text   not null,
    primary key (run, seq)
  );
  -- Bytes of a journal that belong to no record: what a killed owner left of one. Only runs that came from a folder have some.
  create table {dr}.debris (
    run    bigint not null references {dr}.run on delete cascade,
    at     bigint not null,
    bytes  bytea  not null,
    primary key (run, at)
  );

  -- Bytes by digest, shared by the runs of one root alone. Large ones are in pieces, and null here.
  create table {dr}.content (
    root   text   not null,
    sha256 text   not null,
    bytes  bytea,
    primary key (root, sha256)
  );
  create table {dr}.piece (
    root   text   not null,
    sha256 text   not null,
    number int    not null,
    bytes  bytea  not null,
    primary key (root, sha256, number),
    foreign key (root, sha256) references {dr}.content on delete cascade
  );
  create table {dr}.file (
    run    bigint not null references {dr}.run on delete cascade,
    path   text   not null,
    root   text   not null,
    sha256 text   not null,
    size   bigint not null,
    epoch  int    not null,                     -- of the owner that named it
    primary key (run, path),
    foreign key (root, sha256) references {dr}.content
  );
  create index file_content on {dr}.file (root, sha256);

  -- Documents that runs read without a mount: a list of files by digest, whose bytes are content of the root "documents".
  create table {dr}.document_set (
    name      text   not null,
    digest    text   not null,
    files     text   not null,
    pushed_ms float8 not null,
    primary key (name, digest)
  );

  -- The workers of the fleet, as they said last.
  create table {dr}.worker (
    id       text   primary key,
    facts    text   not null,
    seen_ms  float8 not null
  );
  -- Runs that a worker has handed back, with what it lacks; of every worker where its id is '*'.
  create table {dr}.lack (
    run      bigint not null references {dr}.run on delete cascade,
    worker   text   not null,
    what     text   not null,
    since_ms float8 not null,
    until_ms float8 not null,
    primary key (run, worker)
  );

  create table {dr}.request (
    run        bigint not null references {dr}.run on delete cascade,
    request_id text   not null,
    body       text   not null,
    primary key (run, request_id)
  );
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * What the role of a worker may do: neither change or delete a record, nor change content, nor delete a run, nor touch the schema.
 * `{role}` is its name, `{queue}` the schema of the queue.
 */
export const WORKER_RIGHTS = `
  grant usage on schema {dr} to {role};
  grant select on all tables in schema {dr} to {role};
  grant insert on {dr}.run, {dr}.record, {dr}.content, {dr}.piece, {dr}.file, {dr}.request to {role};
  grant update (seq, epoch, digest, end_at, claim_epoch, lease, refreshed_ms, held_until_ms, manifest, shown_seq, wakes_ms, requests,
    followed_ms) on {dr}.run to {role};
  grant update (sha256, size, epoch), delete on {dr}.file to {role};
  grant delete on {dr}.request to {role};
  grant insert, update, delete on {dr}.worker, {dr}.lack to {role};
  grant insert, update (pushed_ms) on {dr}.document_set to {role};
  grant execute on all functions in schema {dr} to {role};
  grant usage on schema {queue} to {role};
  grant select, insert, update, delete on all tables in schema {queue} to {role};
  grant execute on all functions in schema {queue} to {role};
`;
