// The field of a secret that another system issued. Password managers must not fill it: the product's own API key would be sent
// to that system.

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
  /** Says which secret is stored. */
  readonly description: string;
  /** The button's text. */
  readonly replaceLabel: string;
  readonly error: ReactNode;
  readonly onKeep: () => void;
  /** The field, once the stored secret is to be replaced. */
  readonly children: ReactNode;
}

/** A secret that is stored: there is no field for it until a person asks to replace it. */
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
        Keep the stored one
      </Button>
    </Group>
  );
}
