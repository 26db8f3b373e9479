// Panel with the details of one step of a trace.

import { Group, Stack, Text, Title } from "@mantine/core";
import { isUnpriced, listUnpricedModels } from "../model-prices/unpriced.ts";
import { toSearch } from "../model-prices/unpriced-link.tsx";
import { Status } from "../ui/badges.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Facts } from "../ui/facts.tsx";
import { dollars, duration, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { Payload } from "./payload.tsx";
import { splitStackTraces } from "./stack-traces.ts";
import { tokensText } from "./tokens-text.ts";
import type { Step } from "./trace-requests.ts";

const payloads = [
  ["Content", "content"],
  ["Input", "input"],
  ["Arguments", "toolInput"],
  ["Query", "query"],
  ["Output", "output"],
  ["Result", "toolOutput"],
  ["Retrieved", "result"],
] as const;

const isPresent = (value: unknown) => value !== undefined && value !== null && value !== "";

export function StepPanel({ step }: { readonly step: Step }) {
  const { stacks, metadata } = splitStackTraces(step.metadata);
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Title order={2}>{step.name ?? words(step.type)}</Title>
        <Status value={step.status} />
      </Group>
      <Facts
        rows={[
          ["Type", words(step.type)],
          ["Duration", duration(step.durationMs)],
          isPresent(step.modelId) && ["Model", step.modelId],
          step.usage != null && [
            "Tokens",
            tokensText({
              input: step.usage.promptTokens,
              output: step.usage.completionTokens,
              cachedInput: step.usage.cachedTokens,
              cacheWrite: step.usage.cacheWriteTokens,
              reasoning: step.usage.reasoningTokens,
            }),
          ],
          isUnpriced(step) && [
            "Cost",
            <AnchorLink
              key="unpriced"
              to="/settings/model-prices"
              search={toSearch(listUnpricedModels([step]))}
              inherit
            >
              No price: set model prices
            </AnchorLink>,
          ],
          step.costAmount !== undefined && ["Cost", dollars(step.costAmount)],
          isPresent(step.finishReason) && ["Finish reason", step.finishReason],
          ["Started", <Time key="started" value={step.timestamp} />],
          isPresent(step.statusCode) && ["Status code", step.statusCode],
        ]}
      />
      {isPresent(step.error) && (
        <Section order={3} title="Error">
          <CodeBlock text={step.error ?? ""} label="error" />
        </Section>
      )}
      {stacks.map((stack) => (
        <Section key={stack} order={3} title="Stack trace">
          <CodeBlock text={stack} label="stack trace" maxHeight={420} />
        </Section>
      ))}
      {payloads.map(([title, field]) => {
        const text = step[field];
        return text === undefined || text === "" ? null : <Payload key={field} order={3} title={title} text={text} />;
      })}
      {isPresent(step.params) && (
        <Section order={3} title="Parameters">
          <CodeBlock text={JSON.stringify(step.params, null, 2)} label="parameters" />
        </Section>
      )}
      {isPresent(metadata) && (
        <Section order={3} title="Metadata">
          <CodeBlock text={JSON.stringify(metadata, null, 2)} label="metadata" />
        </Section>
      )}
      <Text size="xs" c="dimmed">
        Step <code>{step.id}</code>
      </Text>
    </Stack>
  );
}
