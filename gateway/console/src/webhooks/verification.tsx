// Code examples that show how to verify a delivery's signature.

import { Tabs } from "@mantine/core";
import { CodeBlock } from "../ui/code.tsx";
import { Section } from "../ui/section.tsx";

const snippets = [
  {
    id: "node",
    label: "Node",
    text: `const { Webhook } = require("standardwebhooks"); // npm install standardwebhooks

const webhook = new Webhook(secret); // whsec_…

// Pass the raw bytes of the body. Throws if the signature is invalid.
const event = webhook.verify(rawBody, request.headers);`,
  },
  {
    id: "python",
    label: "Python",
    text: `from standardwebhooks import Webhook  # pip install standardwebhooks

webhook = Webhook(secret)  # whsec_…

# Pass the raw bytes of the body. Raises if the signature is invalid.
event = webhook.verify(raw_body, request.headers)`,
  },
  {
    id: "shell",
    label: "Shell",
    text: `# The signature is base64(HMAC-SHA256(secret, "webhook-id.webhook-timestamp.body")), after "v1,".
key=$(printf %s "\${SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf %s "$ID.$TIMESTAMP.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64`,
  },
] as const;

export function Verification() {
  return (
    <Section
      title="Verify deliveries"
      description="Any Standard Webhooks library verifies the headers webhook-id, webhook-timestamp and webhook-signature"
    >
      <Tabs defaultValue="node" keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, text }) => (
          <Tabs.Panel key={id} value={id} pt="xs">
            <CodeBlock text={text} label={`${label} example`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
