/** A minimal client of XMPP (RFC 6120, RFC 6121): registers in the stream (XEP-0077), signs in, sends and receives messages. */
import { connect, type Socket } from 'node:net';

/** One signed-in client (RFC 6120). */
export type XmppClient = {
  /** Sends a chat message to another account of the server. */
  send(to: string, text: string): void;
  /** Calls back with each message that arrives. */
  onMessage(listener: () => void): void;
  close(): void;
};

const header = `<?xml version='1.0'?><stream:stream to='localhost' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`;

/** The stanzas of a stream, in their order; `next` resolves once the text so far contains an end. */
function readStream(socket: Socket) {
  let text = '';
  let wanted: { end: string; resolve(): void } | undefined;
  const check = () => {
    if (!wanted || !text.includes(wanted.end)) return;
    const { end, resolve } = wanted;
    wanted = undefined;
    text = text.slice(text.indexOf(end) + end.length);
    resolve();
  };
  const read = (data: Buffer) => {
    text += data.toString();
    check();
  };
  socket.on('data', read);
  return {
    next: (end: string) =>
      new Promise<void>((resolve, reject) => {
        wanted = { end, resolve };
        socket.once('close', () => reject(new Error(`The XMPP server closed the stream: ${text.slice(0, 300)}`)));
        check();
      }),
    finish: () => socket.off('data', read),
  };
}

/** Creates an account on a server for `localhost` and connects it, available for messages. */
export async function connectXmpp(port: number, name: string): Promise<XmppClient> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const stream = readStream(socket);
  const send = async (text: string, end: string) => {
    const answered = stream.next(end);
    socket.write(text);
    await answered;
  };
  await send(header, '</stream:features>');
  await send(
    `<iq type='set' id='r'><query xmlns='jabber:iq:register'><username>${name}</username><password>${name}</password></query></iq>`,
    `type='result'`,
  );
  const plain = Buffer.from(`\0${name}\0${name}`).toString('base64');
  await send(`<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${plain}</auth>`, '<success');
  await send(header, '</stream:features>');
  await send(`<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>`, '</iq>');
  await send('<presence/>', '<presence');
  stream.finish();
  let sent = 0;
  return {
    send(to, text) {
      sent += 1;
      socket.write(`<message to='${to}@localhost' type='chat' id='m${sent}'><body>${text}</body></message>`);
    },
    onMessage(listener) {
      let rest = '';
      socket.on('data', (data: Buffer) => {
        const parts = (rest + data.toString()).split('</message>');
        rest = parts.pop() ?? '';
        for (let at = 0; at < parts.length; at++) listener();
      });
    },
    close: () => socket.destroy(),
  };
}
