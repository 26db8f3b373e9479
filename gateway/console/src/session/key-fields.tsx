// Form fields to sign in with an API key.

import { Button, PasswordInput, Text } from "@mantine/core";
import { issuesByField } from "../api/errors.ts";
import { TextField } from "../ui/text-field.tsx";

export interface Fields {
  readonly apiKey: string;
  readonly applicationId: string;
}

interface KeyFieldsProps {
  readonly canSignIn: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly fields: Fields;
  /** True if only a key of this application can sign in. */
  readonly isApplicationFixed?: boolean;
  readonly onChange: (change: Partial<Fields>) => void;
}

export function KeyFields({
  canSignIn,
  isPending,
  error,
  fields,
  isApplicationFixed = false,
  onChange,
}: KeyFieldsProps) {
  const issues = issuesByField(error);
  return (
    <>
      <PasswordInput
        label="API key"
        name="apiKey"
        autoComplete="current-password"
        required
        disabled={!canSignIn}
        value={fields.apiKey}
        error={issues.apiKey}
        onChange={(event) => onChange({ apiKey: event.currentTarget.value })}
        visibilityToggleButtonProps={{ "aria-label": "Show the key" }}
      />
      <TextField
        label="Application"
        description="Id of the key's application"
        name="applicationId"
        autoComplete="username"
        required
        readOnly={isApplicationFixed}
        disabled={!canSignIn}
        value={fields.applicationId}
        error={issues.applicationId}
        onChange={(value) => onChange({ applicationId: value })}
      />
      <Button type="submit" size="sm" fullWidth loading={isPending} disabled={!canSignIn}>
        Sign in
      </Button>
      <Text size="xs" c="dimmed">
        <code>npm start</code> prints a key, its application and a sign-in link. The server stores the key; this page
        cannot read it.
      </Text>
    </>
  );
}
