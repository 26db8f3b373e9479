// Nonce for styles created at run time. The gateway writes it into index.html.

import { setNonce } from "get-nonce";

export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// Also set the nonce for react-remove-scroll, which Mantine's dialogs use.
setNonce(nonce);
