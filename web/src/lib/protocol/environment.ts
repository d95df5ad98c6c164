import { SUBPROTOCOL } from './protocol';

/** A socket, as little of it as is needed. */
export interface Socket {
  /** It is open. */
  onopen: (() => void) | null;
  /** A text has come. */
  onmessage: ((text: string) => void) | null;
  /** It is closed, or could not be opened. */
  onclose: ((code: number, reason: string) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What a connection needs of the world around it. Tests bring their own. */
export interface Environment {
  /** Opens a socket to the server. */
  connect(): Socket;
  /** A clock in milliseconds that never jumps. It may stand still while the machine sleeps. */
  now(): number;
  /** This machine's idea of the time, in milliseconds since 1970. */
  wall(): number;
  /** Calls once after so many milliseconds; what comes back takes that back. */
  after(ms: number, then: () => void): () => void;
  /** A number from 0 to 1. */
  random(): number;
  /** A random UUID. */
  uuid(): string;
}

/** A random UUID, also where the page is not secure and `crypto.randomUUID` is missing. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The browser, and where it finds the server's socket. */
export function browser(path = '/api/ws'): Environment {
  return {
    connect() {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
      const inner = new WebSocket(`${scheme}://${location.host}${path}`, SUBPROTOCOL);
      const socket: Socket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        // One that is being closed takes nothing more; what has no answer is sent again on the next one.
        send(text) {
          if (inner.readyState === WebSocket.OPEN) inner.send(text);
        },
        close: () => inner.close()
      };
      inner.onopen = () => socket.onopen?.();
      inner.onmessage = (event: MessageEvent<unknown>) => {
        if (typeof event.data === 'string') socket.onmessage?.(event.data);
      };
      inner.onclose = (event) => socket.onclose?.(event.code, event.reason);
      return socket;
    },
    now: () => performance.now(),
    wall: () => Date.now(),
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
    uuid
  };
}
