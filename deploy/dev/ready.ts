// Formats what `npm start` prints when the product is ready, as text or JSON.

export interface ReadyFacts {
  readonly baseUrl: string;
  /** True if the API reference is served. */
  readonly hasDocs: boolean;
  /** Console URL with a one-time sign-in code; undefined without a local console. */
  readonly consoleUrl: string | undefined;
  /** URL of the gateway's gRPC port; undefined if the port is off. */
  readonly grpcUrl: string | undefined;
  /** URL of the nats-server that `npm start` started, for readers created by `ems nats user --local`. */
  readonly natsUrl: string | undefined;
  readonly adminUrl: string;
  /** Page with the mails, which are stored instead of sent if there is no mail relay. */
  readonly mailUrl: string | undefined;
  readonly orgId: string;
  readonly applicationId: string;
  /** Set only at the start that creates the key, because it cannot be displayed again. */
  readonly apiKey: string | undefined;
}

export function readyJson(facts: ReadyFacts): string {
  const { baseUrl, consoleUrl, grpcUrl, natsUrl, adminUrl, applicationId, apiKey, orgId } = facts;
  return JSON.stringify({ baseUrl, consoleUrl, grpcUrl, natsUrl, adminUrl, applicationId, apiKey, orgId });
}

export function readyText({
  baseUrl,
  hasDocs,
  consoleUrl,
  grpcUrl,
  adminUrl,
  mailUrl,
  applicationId,
  apiKey,
}: ReadyFacts): string {
  return `
The Evaluation Management Service is ready. Ctrl-C stops it.
${consoleUrl === undefined ? "" : `\n  Open the console (this link works a single time, within two minutes; after that, sign in with the API key):\n\n  ${consoleUrl}\n`}
  Base URL         ${baseUrl}
  API reference    ${hasDocs ? `${baseUrl}/docs` : "off: DOCS is off"}
  gRPC             ${grpcUrl === undefined ? "off: GRPC_PORT is off" : `${grpcUrl} (gRPC, gRPC-Web, Connect; OpenTelemetry too)`}
  OpenTelemetry    ${baseUrl}/v0/otel (OTLP over HTTP)
  Admin            ${adminUrl}/readyz
  Mail             ${mailUrl === undefined ? "sent by SMTP_URL" : `${mailUrl} (stored, not sent: SMTP_URL is not set)`}
  Application id   ${applicationId}
  API key          ${apiKey ?? "created at the first start; npm run bootstrap creates another"}
${apiKey === undefined ? "" : "                   (not displayed again; npm run bootstrap creates another)\n"}
Create a topic:

  curl -sS ${baseUrl}/v0/topics -H 'content-type: application/json' -H "x-api-key: ${apiKey ?? "$EMS_API_KEY"}" -H 'x-application-id: ${applicationId}' -d '{"title": "Opening an account"}'

Send traces from any OpenTelemetry SDK (OTEL_EXPORTER_OTLP_PROTOCOL: http/protobuf, http/json or grpc):

  export OTEL_EXPORTER_OTLP_ENDPOINT=${baseUrl}/v0/otel OTEL_EXPORTER_OTLP_HEADERS="x-api-key=${apiKey ?? "$EMS_API_KEY"},x-application-id=${applicationId}"

Add sample data of a retail bank's assistant (--size small, demo or load):

  npm run seed

Use the command line from another shell in this folder (elsewhere, npx runs an unrelated package; see npx ems --help):

  export EMS_URL=${baseUrl} EMS_APPLICATION_ID=${applicationId} EMS_API_KEY=${apiKey ?? "…"}
  npx ems report topic -g status
  npx ems webhook set http://127.0.0.1:8080/     (a receiver on this machine; for private networks, set WEBHOOK_ALLOW_CIDRS)
`;
}
