/** A path of this console to go on to; another one would let a link lead elsewhere. */
export function localPath(from: unknown): string {
  if (typeof from !== "string" || from.length > 2_000) return "/";
  const isLocal = /^\/(?![/\\])[\x21-\x7e]*$/.test(from) && !from.startsWith("/sign-in");
  const own = "http://localhost";
  // As browsers read it: they take backslashes for slashes, and drop tabs and line breaks.
  return isLocal && URL.parse(from, own)?.origin === own ? from : "/";
}
