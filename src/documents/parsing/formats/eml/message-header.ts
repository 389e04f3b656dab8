import { decodeWords, type Address, type Email } from 'postal-mime';
import type { DocumentWriter } from '../../writing/document-writer.js';

/** A list of more addressees is told by its number. */
const mostAddressees = 50;

/** Writes what a message is about, who wrote it to whom, and when. */
export function writeHeader(message: Email, out: DocumentWriter): void {
  out.heading(1, message.subject ?? '');
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['From', named(message.from ? [message.from] : [], out)],
    ['To', named(message.to ?? [], out)],
    ['Cc', named(message.cc ?? [], out)],
    ['Date', headerValue(message, 'date')],
  ];
  for (const [name, value] of lines) if (value !== '') out.listItem(`${name}: ${value}`, { depth: 1 });
}

/** The value of a header as it stands in the message, encoded words decoded. */
export function headerValue({ headers }: Email, key: string): string {
  return decodeWords(headers.find((header) => header.key === key)?.value ?? '').trim();
}

function named(addresses: readonly Address[], out: DocumentWriter): string {
  const names = addresses.map(addressText).filter((name) => name !== '');
  const left = names.length - mostAddressees;
  if (left <= 0) return names.join(', ');
  out.warn('ADDRESSES_LEFT_OUT', `${left} of ${names.length} addresses were left out.`);
  return `${names.slice(0, mostAddressees).join(', ')}, …`;
}

function addressText({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(addressText).join(', ')};`;
  return name === '' || name === address ? (address ?? '') : address ? `${name} <${address}>` : name;
}
