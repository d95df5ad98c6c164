/** The files of this language, by their addresses: each is a chunk of its own, and which there are travels with the texts of all pages. */
import type { Messages } from '../load';

export default import.meta.glob<Messages>('../messages/zh-Hant/*.json', { import: 'default' });
