import { ActionIcon, Button, Group, Paper, SimpleGrid, Stack, Switch, Text } from "@mantine/core";
import { Plus, X } from "lucide-react";
import type { DraftInputs } from "../edits/use-draft.ts";
import { Section } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { newNoise, type PathsDraft } from "./paths-draft.ts";
import { noiseMax } from "./trace-path-requests.ts";

const conditions = [
  { name: "name", label: "Span name", example: "GET /static/*" },
  { name: "service", label: "Service", example: "web" },
  { name: "attribute", label: "Attribute", example: "url.path" },
  { name: "value", label: "Value", example: "/status*" },
] as const;

interface NoiseRulesProps {
  readonly form: DraftInputs<PathsDraft>;
  /** Called after a rule was removed: errors belong to rules by index, which change. */
  readonly onRemoved: () => void;
}

export function NoiseRules({ form: { draft, set, input, check, errors }, onRemoved }: NoiseRulesProps) {
  const rules = draft.noise;
  return (
    <Section
      title="Noise"
      description={`The first rule that matches a span decides; * matches any characters. At most ${noiseMax} rules`}
    >
      <Stack gap="sm">
        {rules.length === 0 && (
          <Text size="sm" c="dimmed">
            No rules yet. Health checks and protocol messages are never stored as conversations.
          </Text>
        )}
        {rules.map((_, index) => (
          <Paper key={index} withBorder p="sm" m={0} component="fieldset" aria-label={`Noise rule ${index + 1}`}>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xs">
              {conditions.map(({ name, label, example }) => (
                <TextField
                  key={name}
                  label={label}
                  placeholder={example}
                  spellCheck={false}
                  {...input(`noise.${index}.${name}`)}
                />
              ))}
            </SimpleGrid>
            {errors[`noise.${index}`] !== undefined && (
              <Text size="xs" c="var(--mantine-color-error)" mt="xs">
                {errors[`noise.${index}`]}
              </Text>
            )}
            <Group justify="space-between" mt="xs">
              <Switch label="Store matching spans" {...check(`noise.${index}.keep`)} />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove noise rule ${index + 1}`}
                onClick={() => {
                  set({ noise: rules.toSpliced(index, 1) });
                  onRemoved();
                }}
              >
                <X size={14} />
              </ActionIcon>
            </Group>
          </Paper>
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          style={{ alignSelf: "flex-start" }}
          disabled={rules.length >= noiseMax}
          onClick={() => set({ noise: [...rules, newNoise] })}
        >
          Add a rule
        </Button>
      </Stack>
    </Section>
  );
}
