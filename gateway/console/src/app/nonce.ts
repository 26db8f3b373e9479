// The nonce that styles made in the page need; the gateway writes it into index.html.

import { setNonce } from "get-nonce";

export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

// Read by react-remove-scroll, which Mantine's dialogs use.
setNonce(nonce);
