// The badge of verification: what checking the run down to its bytes came to, when, and a button to do it.
import { useState } from "preact/hooks";
import { moment } from "../../surface/words.ts";
import { act } from "./session.ts";
import type { Snapshot } from "./wire.ts";

export function VerificationBadge({ run: { verification = null } }: { run: Snapshot }) {
  const [isChecking, setChecking] = useState(false);
  const verify = async (): Promise<void> => {
    setChecking(true);
    await act("verify");
    setChecking(false);
  };
  return (
    <span class="badge" role="status" data-testid="verification">
      {verification !== null && (
        <span class={`state ${verification.ok ? "good" : "bad"}`}>
          {verification.words}, {moment(verification.verified_at)}
        </span>
      )}
      <button type="button" disabled={isChecking} onClick={() => void verify()}>
        {isChecking ? "Verifying" : verification === null ? "Verify" : "Verify again"}
      </button>
    </span>
  );
}
