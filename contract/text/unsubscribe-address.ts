/** Query parameter of posts from the form of the unsubscribe page. Mail programs post to the link itself, which lacks it. */
export const UNSUBSCRIBE_FORM_PARAMETER = 'form';
