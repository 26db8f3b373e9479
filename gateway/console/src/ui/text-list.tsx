import { ActionIcon, Button, Group, Input, Stack, Textarea } from "@mantine/core";
import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";

interface TextListProps {
  readonly label: string;
  readonly description?: string;
  /** Accessible name of a single text's input, without its number. */
  readonly itemLabel: string;
  /** Label of the button that adds a text; by default made of `itemLabel`. */
  readonly addLabel?: string;
  readonly values: readonly string[];
  readonly error?: ReactNode;
  readonly onChange: (values: string[]) => void;
}

/** Ordered list of text inputs, each removable. */
export function TextList({ label, description, itemLabel, addLabel, values, error, onChange }: TextListProps) {
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap={6} mt={6}>
        {values.map((value, index) => (
          <Group key={index} gap={6} wrap="nowrap" align="flex-start">
            <Textarea
              aria-label={`${itemLabel} ${index + 1}`}
              autosize
              maxRows={8}
              flex={1}
              value={value}
              onChange={(event) => onChange(values.with(index, event.currentTarget.value))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              aria-label={`Remove ${itemLabel.toLowerCase()} ${index + 1}`}
              onClick={() => onChange(values.toSpliced(index, 1))}
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => onChange([...values, ""])}
          style={{ alignSelf: "flex-start" }}
        >
          {addLabel ?? `Add ${itemLabel.toLowerCase()}`}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
