import { cookiePath } from "../session-cookie.ts";

/** Where a person leaves for the provider, */
export const startPath = `${cookiePath}/open-id/start`;
/** and where the provider sends them back to. */
export const callbackPath = `${cookiePath}/open-id/callback`;
