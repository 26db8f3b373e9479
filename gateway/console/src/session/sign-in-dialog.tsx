// Dialog to sign in again above the page. The session's application stays the same.

import { Alert, Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { messageOfError } from "../api/errors.ts";
import { Dialog } from "../ui/dialog.tsx";
import { KeyFields } from "./key-fields.tsx";
import { notifyTabs, watchTabs } from "./other-tabs.ts";
import { endWait } from "./reauthenticate.ts";
import { type Credentials, getSession, type Session, sessionKey, signIn, switchTo } from "./session.ts";

interface SignInDialogProps {
  /** Session that ended. */
  readonly ended: Session;
}

export default function SignInDialog({ ended }: SignInDialogProps) {
  const { application } = ended;
  const client = useQueryClient();
  const { data: state } = useQuery({ queryKey: ["session-options"], queryFn: getSession });
  const [apiKey, setApiKey] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (credentials: Credentials | undefined) => {
      if (credentials !== undefined) await signIn(credentials);
      let current = await getSession();
      if (current.data === null) return false;
      if (current.data.application.id !== application.id && current.data.member !== null) {
        await switchTo(application.id);
        current = await getSession();
      }
      if (current.data?.application.id !== application.id)
        throw new Error(`Sign in to the application ${application.name ?? application.id}, where your text belongs.`);
      client.setQueryData(sessionKey, current);
      notifyTabs("signed-in");
      return true;
    },
    onSuccess: (isSignedIn) => isSignedIn && endWait(true),
  });
  // The provider and links sign in in another tab.
  useEffect(() => watchTabs((change) => change === "signed-in" && mutate(undefined)), [mutate]);
  const provider = state?.provider ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ apiKey: apiKey.trim(), applicationId: application.id });
  };
  return (
    <Dialog isOpen isAboveAll size="sm" onClose={() => endWait(false)} title="Your session ended">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">Sign in to continue. What you typed is still there.</Text>
          {error !== null && (
            <Alert color="red" role="alert" title="Sign-in failed">
              {messageOfError(error)}
            </Alert>
          )}
          {provider !== null && (
            <Button component="a" href={provider.url} target="_blank" rel="opener" fullWidth>
              {`Sign in with ${provider.name}`}
            </Button>
          )}
          {(provider === null || ended.member === null) && (
            <KeyFields
              canSignIn={state?.canSignIn ?? true}
              isPending={isPending}
              error={error}
              fields={{ apiKey, applicationId: application.id }}
              isApplicationFixed
              onChange={(change) => setApiKey(change.apiKey ?? apiKey)}
            />
          )}
        </Stack>
      </form>
    </Dialog>
  );
}
