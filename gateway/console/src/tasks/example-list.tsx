// Inputs of a task's examples: a prompt each, with expected answers and metadata on demand.

import { ActionIcon, Button, Group, Input, Paper, Stack, Textarea } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { TextList } from "../ui/text-list.tsx";
import { type ExampleDraft, newExample } from "./example-draft.ts";

interface ExampleListProps {
  readonly examples: readonly ExampleDraft[];
  /** Issues by path, such as `examples.0.metadata`. */
  readonly errors: Readonly<Record<string, ReactNode>>;
  readonly onChange: (examples: readonly ExampleDraft[]) => void;
}

export function ExampleList({ examples, errors, onChange }: ExampleListProps) {
  return (
    <Input.Wrapper
      label="Prompts"
      description="Requests to the application, one test each"
      error={errors.examples}
      labelElement="div"
    >
      <Stack gap={8} mt={6}>
        {examples.map((example, index) => (
          <ExampleInputs
            key={index}
            number={index + 1}
            example={example}
            error={(field) => errors[`examples.${index}.${field}`]}
            onChange={(change) => onChange(examples.with(index, { ...example, ...change }))}
            onRemove={() => onChange(examples.toSpliced(index, 1))}
          />
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => onChange([...examples, newExample])}
          style={{ alignSelf: "flex-start" }}
        >
          Add prompt
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface ExampleInputsProps {
  readonly number: number;
  readonly example: ExampleDraft;
  readonly error: (field: keyof ExampleDraft) => ReactNode;
  readonly onChange: (change: Partial<ExampleDraft>) => void;
  readonly onRemove: () => void;
}

function ExampleInputs({ number, example, error, onChange, onRemove }: ExampleInputsProps) {
  const hasDetails = example.expected.length > 0 || example.metadata !== "";
  const [isOpen, setOpen] = useState(false);
  const isExpanded = isOpen || hasDetails;
  return (
    <Stack gap={6}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <Textarea
          aria-label={`Prompt ${number}`}
          autosize
          maxRows={8}
          flex={1}
          value={example.input}
          error={error("input")}
          onChange={(event) => onChange({ input: event.currentTarget.value })}
        />
        <ActionIcon variant="subtle" color="gray" mt={4} aria-label={`Remove prompt ${number}`} onClick={onRemove}>
          <X size={14} />
        </ActionIcon>
      </Group>
      {!isExpanded && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={`Add expected answer or metadata of prompt ${number}`}
          onClick={() => setOpen(true)}
          style={{ alignSelf: "flex-start" }}
        >
          Expected answer, metadata
        </Button>
      )}
      {isExpanded && (
        <Paper withBorder p="xs">
          <Stack gap="xs">
            <TextList
              label="Expected"
              description="Any of these answers. Replaces the expected answer of evaluators"
              itemLabel={`Answer to prompt ${number}:`}
              addLabel="Add expected answer"
              values={example.expected}
              error={error("expected")}
              onChange={(expected) => onChange({ expected })}
            />
            <Textarea
              label="Metadata"
              description="JSON object, sent to the application with this prompt"
              autosize
              maxRows={8}
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
              spellCheck={false}
              value={example.metadata}
              error={error("metadata")}
              onChange={(event) => onChange({ metadata: event.currentTarget.value })}
            />
          </Stack>
        </Paper>
      )}
    </Stack>
  );
}
