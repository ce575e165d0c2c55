import { feature } from '../../kernel/endpoint.ts';
import { getCommandGuide } from './get-command-guide.ts';
import { runCommand } from './run-command.ts';
import { transcribeCommand } from './transcribe-command.ts';

export const commands = feature({
  area: 'commands',
  title: 'Commands',
  endpoints: [runCommand, getCommandGuide, transcribeCommand],
});
