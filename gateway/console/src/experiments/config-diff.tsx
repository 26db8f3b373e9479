// Shows the complete configurations of two variants side by side, differences first.

import { Text } from "@mantine/core";
import { ChangesTable } from "../ui/diff/changes-table.tsx";
import { Section } from "../ui/section.tsx";
import { listChanges } from "./configs.ts";
import type { Variant } from "./variant-requests.ts";

interface ConfigDiffProps {
  readonly before: Variant;
  readonly after: Variant;
}

export function ConfigDiff({ before, after }: ConfigDiffProps) {
  const changes = listChanges(before.config, after.config).map(({ step, ...change }) => ({
    ...change,
    id: `${step} ${change.name}`,
    context: step,
  }));
  return (
    <Section title="Configurations" description="Parameters by inference step">
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          Neither variant sets parameters.
        </Text>
      ) : (
        <ChangesTable
          label="Configurations"
          nameLabel="Parameter"
          before={before.title}
          after={after.title}
          changes={changes}
        />
      )}
    </Section>
  );
}
