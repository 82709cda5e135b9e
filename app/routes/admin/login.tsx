import { AdminLogin } from '#app/features/admin/AdminLogin.tsx';
import { SecondStepForm } from '#app/features/auth/steps.tsx';

/** /admin-login */
export default function AdminLoginPage() {
  return <AdminLogin secondStep={(props) => <SecondStepForm {...props} />} />;
}
