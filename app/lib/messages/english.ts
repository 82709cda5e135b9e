/** Notices and labels of fields that the specification quotes in English; they are the same in both languages. */
const ENGLISH = new Set([
  'Action Failed',
  'Admin Login Successful',
  'Comment posted!',
  'Creator LP fee share',
  'Delete Failed',
  'Description',
  'Error checking payment status',
  'Error creating payment',
  'Error loading posts. Please try again.',
  'Failed to check payment status.',
  'Failed to create payment. Please try again.',
  'Failed to delete the post. Please try again.',
  'Failed to update reaction. Please try again.',
  'Logged Out',
  'Login Error',
  'Logout Error',
  'Name',
  'Payment Completed',
  'Payment Confirmed!',
  'Payment Created!',
  'Payment Creation Failed',
  'Payment Successful!',
  'Please enter a valid email address.',
  'Please fill in all required creator information: wallet address, network, email, and telegram.',
  'Please fill in token name, symbol, and description.',
  'Please use the cryptocurrency payment button above to complete your transaction.',
  'Post Deleted',
  'Status Check Failed',
  'Ticker',
  'You have been logged out successfully',
  'Your comment was added successfully',
  'Your token creation request has been submitted and will be processed by our admin team.',
]);

/** Whether a notice is in English whatever the page's language is. */
export const isEnglish = (messages: string): boolean =>
  ENGLISH.has(messages) || /^(Current status|Payment was|Welcome) /.test(messages);
