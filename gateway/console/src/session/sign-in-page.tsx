// Page to sign in: with the provider, with an API key and an application, or with the code in a link.

import { Alert, Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { messageOfError } from "../api/errors.ts";
import icon from "../app/icon.svg";
import { type Fields, KeyFields } from "./key-fields.tsx";
import { type Credentials, describeFailure, findSignInCode, localPath, sessionQuery, signIn } from "./session.ts";
import classes from "./sign-in-page.module.css";

const route = getRouteApi("/sign-in");

export default function SignInPage() {
  const { from, failed } = route.useSearch();
  const destination = localPath(from);
  const session = useQuery(sessionQuery);
  const { isPending, error, mutate } = useSignIn(destination);
  const code = useRef(findSignInCode(window.location.hash));
  const [{ apiKey, applicationId }, setFields] = useState({ apiKey: "", applicationId: "" });
  const [isByKey, setByKey] = useState(false);
  useEffect(() => {
    document.title = "Sign in · EMS";
    if (code.current === undefined) return;
    const link = { code: code.current };
    // A code works only once, so do not resend it on reload or in the second effect that React runs in development.
    code.current = undefined;
    window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
    mutate(link);
  }, [mutate]);
  const canSignIn = session.data?.canSignIn ?? true;
  const provider = session.data?.provider ?? null;
  const failure = error === null ? describeFailure(failed) : undefined;
  const onChange = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
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
              <Alert color="yellow" title="Sign-in unavailable">
                {session.data?.reason}
              </Alert>
            )}
            {error !== null && (
              <Alert color="red" role="alert" title="Sign-in failed">
                {messageOfError(error)}
              </Alert>
            )}
            {failure !== undefined && (
              <Alert
                {...(failed === "ended" ? { color: "yellow" } : { color: "red", title: "Sign-in failed" })}
                role="alert"
              >
                {failure}
              </Alert>
            )}
            {provider !== null && (
              <Button
                component="a"
                href={`${provider.url}?${new URLSearchParams({ from: destination })}`}
                fullWidth
                disabled={!canSignIn}
              >
                {`Sign in with ${provider.name}`}
              </Button>
            )}
            {provider !== null && !isByKey && (
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setByKey(true)}>
                Sign in with an API key
              </Button>
            )}
            {!session.isPending && (provider === null || isByKey) && (
              <KeyFields
                canSignIn={canSignIn}
                isPending={isPending}
                error={error}
                fields={{ apiKey, applicationId }}
                onChange={onChange}
              />
            )}
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
