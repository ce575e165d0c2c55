/** Records a room in a separate process, which a test kills: URL KEY SECRET FOLDER ROOM RECORDING. Prints `recording`. */
import { Recorder } from '../clients/recorder/recorder.ts';
import { askForRooms } from './ask-for-rooms.ts';

const [url = '', api_key = '', api_secret = '', folder = '', room = '', recording_id = ''] = process.argv.slice(2);
await new Recorder({ url, api_key, api_secret, folder, hasRoom: askForRooms({ url, api_key, api_secret }) }).start(
  room,
  recording_id,
);
process.stdout.write('recording\n');
