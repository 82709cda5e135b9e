import { data } from 'react-router';

/** No page has this address. */
export function loader(): never {
  throw data(null, { status: 404 });
}

/** During navigation within the app no request is needed. */
export function clientLoader(): never {
  throw data(null, { status: 404 });
}

export default function NotFound() {
  return null;
}
