import { data } from 'react-router';

/** No page has this address. */
export function loader(): never {
  throw data(null, { status: 404 });
}

/** Followed inside the app it needs no question to the server. */
export function clientLoader(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
