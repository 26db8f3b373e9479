// Frame of all pages: menu, application, command palette and sign-out.

import { ActionIcon, AppShell, Burger, Button, Group, Kbd, ScrollArea, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useNetwork } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { LogOut, Search } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { confirmDiscard, DiscardDialog } from "../edits/discard.tsx";
import { removeUnsaved } from "../edits/unsaved.ts";
import { Palette } from "../palette/palette.tsx";
import { notifyTabs } from "../session/other-tabs.ts";
import { isWaiting, subscribe } from "../session/reauthenticate.ts";
import { sessionQuery, signOut } from "../session/session.ts";
import { viewerZone } from "../ui/locale.ts";
import icon from "./icon.svg";
import classes from "./layout.module.css";
import { usePages } from "./pages.ts";
import { Shortcuts } from "./shortcuts.tsx";

/** Loaded only if a person is signed in, because a session with an API key has a single application. */
const ApplicationMenu = lazy(() => import("./application-menu.tsx"));
const SignInDialog = lazy(() => import("../session/sign-in-dialog.tsx"));

const isMac = /mac/i.test(navigator.userAgent);

export function Layout() {
  const [isMenuOpen, menu] = useDisclosure();
  const [opening, setOpening] = useState(0);
  const openPalette = useCallback(() => setOpening((times) => times + 1), []);
  const pages = usePages();
  const sections = [...new Set(pages.map(({ section }) => section))];
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isSlow = useIsSlow();
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);
  // Close the menu and move focus to the content when the page changes.
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    menu.close();
    main.current?.focus({ preventScroll: true });
  }, [pathname, menu]);
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !isMenuOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger
            hiddenFrom="sm"
            size="sm"
            opened={isMenuOpen}
            onClick={menu.toggle}
            aria-label={isMenuOpen ? "Close the menu" : "Open the menu"}
          />
          <Link to="/" className={classes.brand} aria-label="Overview">
            <img src={icon} alt="" width={22} height={22} />
          </Link>
          <ApplicationName />
        </Group>
        <UnstyledButton
          className={classes.palette}
          onClick={openPalette}
          aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
        >
          <Search size={14} aria-hidden />
          <span className={classes.paletteText}>Go to…</span>
          <Kbd size="xs" className={classes.paletteText}>
            {isMac ? "⌘ K" : "Ctrl K"}
          </Kbd>
        </UnstyledButton>
        <SignOut />
      </AppShell.Header>
      <AppShell.Navbar aria-label="Menu">
        <ScrollArea p="xs">
          {sections.map((section, index) => (
            <div key={section} className={classes.section}>
              <Text size="xs" c="dimmed" className={classes.sectionName} id={`menu-${index}`}>
                {section}
              </Text>
              <ul className={classes.links} aria-labelledby={`menu-${index}`}>
                {pages
                  .filter((page) => page.section === section)
                  .map(({ to, label, icon: Icon }) => (
                    <li key={to}>
                      <Link to={to} className={classes.link}>
                        <Icon size={16} aria-hidden />
                        {label}
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
          <Text size="xs" c="dimmed" className={classes.sectionName}>
            {`Times in ${viewerZone}`}
          </Text>
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main} aria-busy={isSlow || undefined}>
        {isSlow && <div className={classes.progress} role="progressbar" aria-label="Loading the page" />}
        <OfflineBar />
        <Outlet />
      </AppShell.Main>
      <Shortcuts onPalette={openPalette} />
      <Palette opening={opening} />
      <DiscardDialog />
      <SignInAgain />
    </AppShell>
  );
}

function ApplicationName() {
  const { data } = useQuery(sessionQuery);
  const application = data?.data?.application;
  const name = application?.name ?? application?.id;
  if (data?.data?.member != null) {
    return (
      <Suspense fallback={null}>
        <ApplicationMenu session={data.data} />
      </Suspense>
    );
  }
  return (
    <Text size="sm" fw={600} truncate title={name}>
      {name}
    </Text>
  );
}

/** Delay before a navigation is displayed as slow. */
const slowMs = 300;

/** Returns true while a page takes long to open. Until then, the previous page stays. */
function useIsSlow(): boolean {
  const isLoading = useRouterState({ select: ({ status }) => status === "pending" });
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return setSlow(false);
    const timer = setTimeout(setSlow, slowMs, true);
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isSlow;
}

/** Opens the sign-in above the page if the session has ended while something was typed or sent. */
function SignInAgain() {
  const isOpen = useSyncExternalStore(subscribe, isWaiting);
  const session = useQuery(sessionQuery).data?.data;
  if (!isOpen || session == null) return null;
  return (
    <Suspense fallback={null}>
      <SignInDialog ended={session} />
    </Suspense>
  );
}

function OfflineBar() {
  const { online } = useNetwork();
  if (online) return null;
  return (
    <div className={classes.offline} role="status">
      You are offline. Nothing is saved until the network is back.
    </div>
  );
}

function SignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: signOut,
    onSuccess: async (answer) => {
      notifyTabs("signed-out");
      removeUnsaved();
      client.clear();
      if (answer !== undefined) return window.location.assign(answer.data.signOutUrl);
      await navigate({ to: "/sign-in" });
    },
  });
  const leave = async () => {
    if (await confirmDiscard()) mutate();
  };
  return (
    <>
      <Button
        visibleFrom="xs"
        variant="subtle"
        color="gray"
        loading={isPending}
        onClick={() => void leave()}
        leftSection={<LogOut size={14} aria-hidden />}
      >
        Sign out
      </Button>
      <ActionIcon hiddenFrom="xs" variant="subtle" color="gray" aria-label="Sign out" onClick={() => void leave()}>
        <LogOut size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
