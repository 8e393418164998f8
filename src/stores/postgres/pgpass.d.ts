// The types of pgpass, which has none.
declare module "pgpass" {
  /** Calls back with the password of the file that PGPASSFILE names, or of ~/.pgpass; undefined where none fits. */
  export default function pgpass(
    connection: { host: string; port: number; database: string; user: string },
    found: (password: string | undefined) => void,
  ): void;
}
