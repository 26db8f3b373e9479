import { type Html, html } from "./html.ts";

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const footer = "Sent by the Evaluation Management Service.";
const colours =
  "@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6 } .quiet { color: #9aa0a6 } }";

/** Builds a mail from paragraphs; it loads nothing from the network. */
export function layout(subject: string, text: readonly string[], body: readonly Html[]): MailContent {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
body { margin: 0; padding: 24px; background: #ffffff; color: #1d1f23; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 600px }
.quiet { color: #5f6368; font-size: 14px }
pre { white-space: pre-wrap; font: inherit }
${colours}
</style>
</head>
<body>
<main>
${body.flatMap((part) => [part, newLine])}<p class="quiet">${footer}</p>
</main>
</body>
</html>
`;
  return { subject, text: `${[...text, `-- \n${footer}`].join("\n\n")}\n`, html: page.source };
}

const newLine = html`
`;
