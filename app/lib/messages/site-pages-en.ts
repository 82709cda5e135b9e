import { REFUND_COINS } from '#contract/text/refund-coins.ts';

/** Built-in texts in English. They say what the program does, and name nobody. */
export const sitePageDefaultsEn = (roundDays: number) => ({
  about: {
    title: 'What Florka is',
    body: `Florka is a site to discover tokens, vote for the ones you want to see launched and follow upcoming launches. Whoever wants a token can order and pay for it here.

## What you can do
- Without an account: read everything, save tokens in this browser, and prepare or pay for the creation of a token.
- With an account: vote, write in the forum and keep your saved tokens on all your devices.

## Who is behind it
This is the text that comes with the program. Whoever runs this site has not written here yet who they are and where they work. Bear that in mind before you pay for anything, and read the [risk notice](/risk).

## What we do not do
- We give no investment advice. That a token is listed here or wins a vote says nothing about its value.
- We do not hold your funds or keys. Nobody from this site will ask for your wallet's private key or recovery phrase.`,
  },
  'how-voting-works': {
    title: 'How voting works',
    body: `Each round has its candidates and a closing date, shown on [the voting page](/vote). Unless set otherwise a round lasts ${roundDays} days.

## Your vote
- One vote per account, candidate and day. A day begins at 00:00 UTC.
- You may vote for several candidates on one day.
- You may take back today's vote, while it counts, and vote again, a limited number of times.
- Where the site sends mails, voting needs a confirmed e-mail address, or an account that the team confirmed, unless its operator changed that. [The voting page](/vote) says who votes.

## The count
- The ranking adds up the votes of each candidate and changes live. Who does not win a round keeps its votes in the next one.
- Only counted votes add up. The page of each candidate says how many of the round are under review and how many are void.
- The order is the same everywhere. The team's own order does not change it.
- Of two equal totals the candidate that reached it first comes first; if both did in the same moment, the older one.
- The team can change the name of a candidate and take it off the vote; both are noted in the internal log. One that is hidden or in the trash when the round is closed is not in its result.
- The team can reset the votes of a candidate, for example after abuse. That is noted in the internal log.

## Votes that do not count
- A vote that looks bought to us is put under review: it does not count until somebody of the team releases or voids it. How many are under review and void is on each candidate's page. What is still under review when a round closes does not count in its result.
- In general we look at many new accounts of one network, at once or over some days; accounts that vote for one candidate in the same minutes on several days; new accounts that take nearly the same time to vote; old accounts that never voted, made together or suddenly used at once; disposable mail; several accounts of one mailbox and many new ones of one domain; and paces that nobody keeps by hand.
- We refuse no vote for where it comes from: an office or a mobile network may bring hundreds of people. When more members of one network vote in a day than we are used to see together, the votes of those who came later are put under review, those of honest people too.
- When a member's account is closed, their votes of the open round are voided. They are again what they were when it is opened, unless the team decided otherwise about them.
- Whoever deletes their account takes back their votes: they leave the totals, and the results of closed rounds stay as they are. Votes of old months that the site stores only as sums stay counted.
- Changes of votes are entered into [the public ledger](/ledger), under a pseudonym for each round. [The page of the ledger](/ledger) says who might recognize your votes in it.
- Releasing and voiding can be undone, and stays in the internal log. Voiding needs a written reason.

## The end
- The round ends at its time by the clock of the database. A later vote is refused.
- The votes of the last seconds go through the same review before, unless it fails or the team closes the round early. Then the standings are kept as they are. The first is out of the next round until the team moves it to [the upcoming launches](/next).
- If the team closes a round early, at once, the voting page says why. It can also move the closing date, to an earlier or a later one: that needs no reason and is noted in the internal log.

## The winner
Winning does not mean that the launch will succeed or that the token will be worth anything.

## What we cannot promise
We count one vote per account. No system can make sure that there is a different person behind every account: we set limits for accounts, networks and mailboxes and hold votes that look bought, which is no guarantee.

These ways of buying votes are not found, or for the most part not:
- Paid people, each with their own account.
- Accounts that voted in earlier rounds and now vote for their buyer.
- Accounts that vote for one candidate every day at any hour, each from its own network.
- Accounts that are sold to several candidates.
- New accounts that wait for very different times before they vote, from unrelated networks and mailboxes.
- Programs that behave like people, and few votes: below certain numbers none is held.`,
  },
  prices: {
    title: 'Prices',
    body: `Reading, voting, commenting and saving tokens is free. You pay once for creating a token, with one of these plans.

## How to pay
- The price is in US dollars and is paid in cryptocurrency, on the page of a payment provider.
- The provider says there what the network and the provider charge.
- If less arrives than it costs, the payment counts as partial. The token is not created until the rest arrives or the team accepts the difference.
- After paying you can't change the token's data. The team may propose others to you; the program creates the token only with those that you confirm.

## What is included
Each plan says what it includes. The program creates the token on the network you choose, or the team does by hand where the form says so; all other services come from the team of this site. The page of your order says the date of each, or the days after the token is created, and what happens if it is not delivered; the program checks on the network only the tokens that it creates; all else is what the team says.

A plan gives no place in the vote or among the upcoming launches: the team decides on it. It includes only the marketing that it names. The 80% for the developer is an agreement with the team; the program distributes nothing.

## Refunds
The program sends no money: a person decides on each refund and sends it. If the team closes a paid order without creating the token, the refund of what arrived is opened, unless the team says why there is none. The page of your order shows how it stands, and there you write the address.

Only what was paid in one of these coins and networks can have a refund opened: ${REFUND_COINS}. With another coin, the team says what happens to the money.`,
  },
  terms: {
    title: 'Terms of use',
    body: `This is the text that comes with the program. Whoever runs this site has not published terms of their own yet. Here are the rules that the site does apply.

## Your account
- You are responsible for your password. You can turn on a second step in [your account](/account).
- An account may be banned if it is used to abuse the site or other people.
- While you can sign in you can download your data and delete the account; the last owner of the site cannot delete theirs.

## What you write
- Everybody can see what you publish in the forum. Publish only what you have the right to publish.
- Moderators can hide texts. Any member can report one.

## Creating a token
- You may change your data before you pay, not afterwards.
- You are responsible that the name, symbol, picture and texts of your token infringe nobody's rights and no law that applies to you.
- What is written to a blockchain can't be deleted or undone.

## No investment advice
Nothing on this site is a recommendation to buy, sell or hold a crypto-asset. Read the [risk notice](/risk).

## Data from others
Prices and market figures come from other services, named beside them. They may be missing, late or wrong.`,
  },
  privacy: {
    title: 'Privacy',
    body: `This is the text that comes with the program: it says which data the site keeps and what for. Whoever runs it may add who they are and on which legal basis.

## What we keep
- Of your account: e-mail address, username and a hash of your password (argon2id), never the password; of wallets that sign you in, their address and dates; if you use them, your passkeys and your second step.
- Of your sessions: IP address, browser and dates, until the session ends.
- Of what you do: votes, posts, comments, reactions, saved tokens and a log of acts that is not deleted. Of what you are told: notifications, and how you want them.
- Of an order: the token's data, the wallet, e-mail and Telegram that you type, and the state of the payment; of a refund, the address that you confirm.
- Of a publication request: the data of the project, and the name and e-mail that you type. Of a token that you verify: the domain or the wallet.
- Of moderation: reports, removals and appeals. The team may write notes about an account, which are not in your download.
- Against abuse: your IP address in short-lived counters, and as a hash with a key that changes every 30 days. With each vote, hashes of the networks it comes from, with a key of its round that is deleted when the round ends. Of members of the team, the IP address of their acts stays in the log.

## What everybody sees
Your username, what you write in the forum and the badges that follow from it; unless you hide it in your account, also that you are online. The rest of your profile, only if you choose so. If you show on how many days you vote and how many winners you picked, whoever sees those numbers change may work out for whom you voted. Of a token that you verify, the domain or the wallet. Your e-mail address is not published.

Each change of your votes stays in [the public ledger](/ledger) with candidate, day, minute and another pseudonym in each round, without your name; votes from before the ledger may share one. Whoever knows at which moment you voted, or sees the ticket that you share, may recognize it, and with it your others of the round. Those lines are not deleted. After some time, votes of old months may become sums by candidate and day: they still count, and who cast them is no longer kept, save in tickets that you kept and their entries in the log of acts; your download no longer has them. The weeks in which you voted stay, without candidates.

## What stays in your browser
- A session cookie and, once you signed in, another one that remembers for half a year that this browser is known; while you sign in, also some that last minutes.
- If you choose a language, a cookie that remembers it for a year.
- Your preferences, your drafts, tokens saved without an account, and the public pages you have seen, for reading offline.
- The keys of the last 50 orders that you opened here, also after signing out: on a shared computer, clear the data of the site. And, if you check the public ledger, how far you saw it.
- There is no advertising and there are no tracking tools. We count how many pages of each kind are seen a day, without knowing by whom.

## Who receives data
- When you pay: the payment provider, on whose page you give your data.
- When you receive mail: the mail server of this site.
- If you turn on notifications of your browser: its push service, with the text encrypted.
- If you link a chat of Telegram: Telegram, which can read your notifications. We keep the number of the chat and your name there until you unlink it.
- When a token is created: the chosen network, where its wallet and data can be seen by everybody.
- News and tokens may show pictures from other servers, which then see your IP address.
- The services by which its operator runs the site, such as servers or a cache: what passes through them.

## Your data are yours
In [your account](/account) you can download them and delete the account. Deleting it withdraws your votes and saved tokens; votes of old months that are only sums by then, without who cast them, still count; the lines of the public ledger stay, and the keys that link their pseudonyms to you are deleted, save in earlier backups; the log of acts keeps, under an identifier, the candidate and time of votes that you took back and of tickets that you kept, and with the database those lines, and your others of the round, can be found; because all your votes are withdrawn at once, those lines show which pseudonyms of different rounds were of one account, and whoever sees your name change in the forum at that moment may know that it was yours; your posts and comments stay without your name, save those that wait for a review, which are deleted, and the log of acts stays, under an identifier, also with the domain or wallet of tokens that you verified, whose verification ends. Tokens that you began with the account and never ordered are deleted; those begun without an account stay, with what was typed in them; orders, their payments and your publication requests are kept. Mails that were sent are deleted after 30 days. Those that could not be sent stay until the team sends or drops them, or until their link or code has expired.`,
  },
  risk: {
    title: 'Risk notice',
    body: `**Crypto-assets can lose all of their value.** You can lose everything you pay for them.

- Most new tokens never find a market. You may find nobody to sell them to.
- Prices change a lot and quickly. Yesterday's price says nothing about tomorrow's.
- Those who created a token may hold a large part of it and sell whenever they like.
- A contract may have faults. An audit or a won vote does not prevent that.
- What you send over a blockchain can't be recovered. Check the network and the address before you send.
- There may be no guarantee fund and no authority that gives back what you lost.
- In your country there may be taxes or bans. Find out.

This site gives no investment advice and promises no gains. Do not pay with money that you can't afford to lose.`,
  },
  contact: {
    title: 'Contact',
    body: `- A question about an order? Open it with the link that we sent you by mail: its number and its state are there.
- Something about the site or a token? Ask in the [forum](/forum).
- A text that should not be here? Use "Report" beside it.

Nobody from this site will ask for your password, private key or recovery phrase.`,
  },
});
