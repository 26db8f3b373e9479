// Field for a secret of another system. Password managers must not fill it, or they would send the product's API key to
// that system.

import { Button, Group, Input, PasswordInput, type PasswordInputProps } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { unmanaged } from "./unmanaged.ts";

interface SecretFieldProps extends Omit<PasswordInputProps, "onChange" | "autoComplete" | "name" | "type"> {
  readonly onChange: (secret: string) => void;
}

export function SecretField({ onChange, ...props }: SecretFieldProps) {
  return (
    <PasswordInput
      {...props}
      {...unmanaged}
      autoComplete="new-password"
      name="issued-secret"
      visibilityToggleButtonProps={{ "aria-label": "Show the secret" }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface StoredSecretProps {
  readonly label: string;
  /** Describes the stored secret. */
  readonly description: string;
  /** Text of the button that opens the field. */
  readonly replaceLabel: string;
  readonly error: ReactNode;
  readonly onKeep: () => void;
  /** Field in which to enter a new secret. */
  readonly children: ReactNode;
}

/** Shows that a secret is stored. The field for a new secret appears only after a click on Replace. */
export function StoredSecret({ label, description, replaceLabel, error, onKeep, children }: StoredSecretProps) {
  const [isReplacing, setReplacing] = useState(false);
  if (!isReplacing) {
    return (
      <Input.Wrapper label={label} description={description} error={error} labelElement="div">
        <Button variant="default" mt={6} display="block" onClick={() => setReplacing(true)}>
          {replaceLabel}
        </Button>
      </Input.Wrapper>
    );
  }
  const keep = () => {
    setReplacing(false);
    onKeep();
  };
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      {children}
      <Button variant="default" onClick={keep}>
        Keep stored value
      </Button>
    </Group>
  );
}
