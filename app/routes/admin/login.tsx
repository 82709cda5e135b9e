import { AdminLogin } from '#app/features/admin/AdminLogin.tsx';
import { PasskeySecondStep, PasskeySignIn } from '#app/features/auth/PasskeySignIn.tsx';
import { ForgotForm, SecondStepForm } from '#app/features/auth/steps.tsx';

/** /admin-login */
export default function AdminLoginPage() {
  return (
    <AdminLogin
      forgot={(props) => <ForgotForm {...props} />}
      secondStep={(props) => <SecondStepForm {...props} passkey={<PasskeySecondStep onDone={props.onDone} />} />}
      passkey={(onDone) => <PasskeySignIn onDone={onDone} />}
    />
  );
}
