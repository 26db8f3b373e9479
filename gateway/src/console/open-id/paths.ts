import { cookiePath } from "../session-cookie.ts";

/** Redirects a person to the provider. */
export const startPath = `${cookiePath}/open-id/start`;
/** Callback that the provider redirects to. */
export const callbackPath = `${cookiePath}/open-id/callback`;
