import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { describeProblem } from '../../ui/problems/problem.ts';
import { useStartCall } from '../../data/start-call.ts';
import { useRunCommand } from './command-mutations.ts';
import { guideQuery, previewQuery, readRefusal } from './command-queries.ts';
import type { Understanding } from './command-queries.ts';
import { listOptions } from './command-options.ts';
import type { CommandOption } from './command-options.ts';
import { useFoundTags } from './use-found-tags.ts';
import { useFoundPeople } from './use-found-people.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';

/** The pause in typing after which the text is interpreted. */
const PAUSE_MS = 250;

/** The service's interpretation of the typed text, shortly after the last key; undefined until then. */
function usePreview(typed: string) {
  const text = typed.trim();
  const settled = useDebounced(text, PAUSE_MS);
  const preview = useQuery(previewQuery(settled));
  const is_asking = text !== '' && (settled !== text || preview.isFetching);
  return { is_asking, understood: settled === text && !preview.isPlaceholderData ? preview.data : undefined, preview };
}

function refusalOf(error: unknown): Understanding | undefined {
  try {
    return error === null ? undefined : readRefusal(error);
  } catch {
    return { kind: 'refused', message: describeProblem(error) };
  }
}

/** The content of the bar, its interpretation, and its options. */
export function useCommandBar(onClose: () => void) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const call = useStartCall();
  const { understood, preview, is_asking } = usePreview(typed);
  const guide = useQuery(guideQuery).data ?? [];
  const found = useFoundTags(typed.trim());
  const people = useFoundPeople(typed.trim());
  const run = useRunCommand((reply) => {
    // The text is ambiguous: the bar shows the possible meanings.
    if (reply.requires_confirmation === true) return;
    setTyped('');
    onClose();
  });
  const asked: Understanding | undefined =
    run.data?.requires_confirmation === true && run.variables?.text === typed.trim()
      ? { kind: 'command', reply: run.data }
      : run.isError && run.variables?.text === typed.trim()
        ? refusalOf(run.error)
        : understood;
  const options = listOptions({ typed, understood: asked, guide, found, people });
  const type = (text: string) => {
    setTyped(text);
    setChosen(0);
  };
  const take = (option: CommandOption) => {
    if (option.kind === 'run') {
      if (!run.isPending) run.mutate({ text: typed.trim(), confirm: true });
    } else if (option.kind === 'type') type(option.text);
    else if (option.kind === 'person') {
      onClose();
      void navigate({ to: option.person.href });
    } else if (option.kind === 'call') {
      onClose();
      call.mutate([{ tag: option.tag }]);
    } else {
      onClose();
      void navigate(
        option.kind === 'tag'
          ? { to: '/t/$name', params: { name: option.tag } }
          : { to: '/search', search: { q: typed.trim() } },
      );
    }
  };
  const problem = preview.isError ? describeProblem(preview.error) : undefined;
  return {
    typed,
    type,
    chosen: Math.min(chosen, Math.max(0, options.length - 1)),
    setChosen,
    options,
    take,
    asked,
    run,
    problem,
    is_asking,
  };
}
