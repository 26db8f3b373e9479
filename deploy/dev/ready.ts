// What a started product says of itself, to a person or to a program.

export interface ReadyFacts {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Where mails are shown that are kept for want of a relay. */
  readonly mailUrl: string | undefined;
  readonly orgId: string;
  readonly applicationId: string;
  /** Present when the key was just made: it cannot be shown again. */
  readonly apiKey: string | undefined;
}

/** One line of JSON: `{baseUrl, adminUrl, applicationId, apiKey, orgId}`, without the key when none was made. */
export function readyJson({ baseUrl, adminUrl, applicationId, apiKey, orgId }: ReadyFacts): string {
  return JSON.stringify({ baseUrl, adminUrl, applicationId, apiKey, orgId });
}

export function readyText({ baseUrl, adminUrl, mailUrl, applicationId, apiKey }: ReadyFacts): string {
  return `
The Evaluation Management Service is ready. Ctrl-C stops it.

  Base URL         ${baseUrl}
  API reference    ${baseUrl}/docs
  Admin            ${adminUrl}/readyz
  Mail             ${mailUrl === undefined ? "by SMTP_URL" : `${mailUrl} (kept there; SMTP_URL sends it)`}
  Application id   ${applicationId}
  API key          ${apiKey ?? "made at the first start; npm run bootstrap makes another"}
${apiKey === undefined ? "" : "                   (shown only now; npm run bootstrap makes another)\n"}
Create a topic:

  curl -sS ${baseUrl}/v0/topics -H 'content-type: application/json' -H "x-api-key: ${apiKey ?? "$EMS_API_KEY"}" -H 'x-application-id: ${applicationId}' -d '{"title": "Opening an account"}'

Fill it with the example of a retail bank's assistant (--size small, demo or load):

  npm run seed

Look at it from another shell (npx ems --help tells what else there is):

  export EMS_URL=${baseUrl} EMS_APPLICATION_ID=${applicationId} EMS_API_KEY=${apiKey ?? "…"}
  npx ems report topic -g status
`;
}
