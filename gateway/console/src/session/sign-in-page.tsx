// Sign-in by key and application, or by the code of a link.

import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { issuesByField, messageOfError } from "../api/errors.ts";
import icon from "../app/icon.svg";
import { TextField } from "../ui/text-field.tsx";
import { type Credentials, codeOf, localPath, sessionQuery, signIn } from "./session.ts";
import classes from "./sign-in-page.module.css";

const route = getRouteApi("/sign-in");

export default function SignInPage() {
  const { from } = route.useSearch();
  const session = useQuery(sessionQuery);
  const { isPending, error, mutate } = useSignIn(localPath(from));
  const code = useRef(codeOf(window.location.hash));
  const [apiKey, setApiKey] = useState("");
  const [applicationId, setApplicationId] = useState("");
  useEffect(() => {
    document.title = "Sign in · EMS";
    if (code.current === undefined) return;
    const link = { code: code.current };
    // A code works once: neither a reload nor React's second effect of development sends it twice.
    code.current = undefined;
    window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
    mutate(link);
  }, [mutate]);
  const issues = issuesByField(error);
  const canSignIn = session.data?.canSignIn ?? true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ apiKey: apiKey.trim(), applicationId: applicationId.trim() });
  };
  return (
    <main className={classes.page}>
      <Paper className={classes.card} withBorder p="lg" radius="md">
        <form onSubmit={submit}>
          <Stack gap="md">
            <div className={classes.heading}>
              <img src={icon} alt="" width={32} height={32} />
              <Title order={1}>Sign in</Title>
              <Text size="sm" c="dimmed">
                Evaluation Management Service
              </Text>
            </div>
            {!canSignIn && (
              <Alert color="yellow" title="Sign-in is not possible here">
                {session.data?.reason}
              </Alert>
            )}
            {error !== null && (
              <Alert color="red" role="alert" title="You could not be signed in">
                {messageOfError(error)}
              </Alert>
            )}
            <PasswordInput
              label="API key"
              name="apiKey"
              autoComplete="current-password"
              required
              disabled={!canSignIn}
              value={apiKey}
              error={issues.apiKey}
              onChange={(event) => setApiKey(event.currentTarget.value)}
              visibilityToggleButtonProps={{ "aria-label": "Show the key" }}
            />
            <TextField
              label="Application"
              description="The id of the application that the key belongs to"
              name="applicationId"
              autoComplete="username"
              required
              disabled={!canSignIn}
              value={applicationId}
              error={issues.applicationId}
              onChange={setApplicationId}
            />
            <Button type="submit" size="sm" fullWidth loading={isPending} disabled={!canSignIn}>
              Sign in
            </Button>
            <Text size="xs" c="dimmed">
              <code>npm start</code> prints a key, its application and a link that signs in. The key is kept by the
              server, out of reach of this page.
            </Text>
          </Stack>
        </form>
      </Paper>
    </main>
  );
}

function useSignIn(destination: string) {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (credentials: Credentials) => signIn(credentials),
    onSuccess: async () => {
      client.clear();
      await client.fetchQuery(sessionQuery);
      router.history.replace(destination);
    },
  });
}
