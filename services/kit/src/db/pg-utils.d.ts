// `pg` exports this file, and its types leave it out.
declare module "pg/lib/utils.js" {
  const utils: {
    /** A parameter as PostgreSQL reads it: as text, or binary when it is a Buffer. */
    prepareValue(value: unknown): string | Buffer | null;
  };
  export default utils;
}
