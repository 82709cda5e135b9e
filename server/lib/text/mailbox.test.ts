import { expect, it } from 'vitest';
import { normalizeMailbox, ownerDomain } from './mailbox.ts';

it.each([
  ['Ana+Florka@Gmail.com', 'ana@gmail.com'],
  ['a.n.a@googlemail.com', 'ana@gmail.com'],
  ['a.n.a+x+y@example.org', 'a.n.a@example.org'],
  ['+tag@example.org', '+tag@example.org'],
  [' "odd@local"@example.org ', '"odd@local"@example.org'],
  ['nobody', 'nobody'],
  ['@example.org', '@example.org'],
])('the mailbox of %s is %s', (email, mailbox) => expect(normalizeMailbox(email)).toBe(mailbox));

it.each([
  ['shop.example', 'shop.example'],
  ['a.b.shop.example', 'shop.example'],
  ['mail.shop.co.uk', 'shop.co.uk'],
  ['shop.co.uk', 'shop.co.uk'],
  ['x.shop.de', 'shop.de'],
  ['localhost', 'localhost'],
])('the registered domain of %s is %s', (domain, owner) => expect(ownerDomain(domain)).toBe(owner));
