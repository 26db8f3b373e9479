// `pg` exports this file, but its types omit it.
declare module "pg/lib/utils.js" {
  const utils: {
    /** Converts a parameter to PostgreSQL's form: text, or binary for a Buffer. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
