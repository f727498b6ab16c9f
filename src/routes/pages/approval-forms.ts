import { z } from 'zod';
import { type Html, html } from '#lib/html.ts';
import { verbatim } from '#lib/verbatim.ts';
import { type AuthenticationMethods, answers, type Proof, type TagOwner } from '#modules/owner-proofs';
import { channels } from '../../providers/messaging/port.ts';

const formSeal = z.string().max(100);
const shared = { form: formSeal, answer: z.enum(answers) };

/** What the forms of passwordForm() and codeForm() send. */
export const answerBody = z.discriminatedUnion('by', [
  z.object({
    ...shared,
    by: z.literal('password'),
    paytag: z.string().max(64),
    password: verbatim(z.string().max(256)),
  }),
  z.object({ ...shared, by: z.literal('code'), code: z.string().max(12) }),
]);

/** The owner's proof in an answer. */
export const proofOf = ({ body: given, ip }: { body: z.output<typeof answerBody>; ip: string }): Proof =>
  given.by === 'password'
    ? { by: 'PASSWORD', paytag: given.paytag, password: given.password, address: ip }
    : { by: 'OTP', code: given.code.replaceAll(/\s/g, ''), address: ip };

/** What the form of sendForm() sends. */
export const codeRequestBody = z.object({ form: formSeal, channel: z.enum(channels) });

/** Who is asked to prove that a tag is theirs, and how they can. */
export interface Approver {
  tagString: string;
  owner: TagOwner;
  /** Then nothing can be approved, but it can be declined. */
  isSuspended: boolean;
  authenticationMethods: AuthenticationMethods;
  /** How many more wrong proofs the request takes. */
  attemptsLeft: number;
}

/** What the forms of one page share. */
export interface FormContext {
  approver: Approver;
  /** False after an approval, and while the tag is suspended. */
  mayApprove: boolean;
  /** The path of the page: its forms are posted there. */
  path: string;
  /** Proves that a form is ours when it comes back. */
  seal: string;
  /** The field whose value was refused. */
  wrongField: 'password' | 'code' | undefined;
  /** Something was refused: its message is read first. */
  hasProblem: boolean;
}

const channelNames = { sms: 'Text message (SMS)', whatsapp: 'WhatsApp', email: 'E-mail' } as const;

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

/** The ARIA attributes of a field: whether it was refused, and what describes it. */
const described = (isWrong: boolean, hint?: string): Html => {
  const by = [isWrong ? 'problem' : '', hint ?? ''].filter((id) => id !== '').join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
};

/** Approve and decline; only decline where nothing may be approved. */
const answerButtons = ({ mayApprove }: FormContext): Html => html`<div class="buttons">
${mayApprove && html`<button class="main" name="answer" value="approve">Approve</button>`}
<button name="answer" value="decline">Decline</button>
</div>`;

/** PayTag and password, for the owner of a PayTag, and the answer. */
export const passwordForm = (context: FormContext): Html => html`<section>
<h2>Answer with your password</h2>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'password')}
<div class="field"><label for="paytag">Your PayTag</label>
<input id="paytag" name="paytag" value="@${context.approver.tagString}" required maxlength="64" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"></div>
<div class="field"><label for="password">Your PayTag password</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="current-password"${described(context.wrongField === 'password')}></div>
${answerButtons(context)}
</form>
</section>`;

/** Says the same whether or not a customer has such an address: any application can send anybody here. */
const codeNotice = ({ owner, tagString }: Approver): string =>
  owner.isCustomer
    ? `If there is such an address on record for @${tagString}, a code is on its way to it.`
    : `A code is on its way to the e-mail address on record for the owner of @${tagString}.`;

/** The code that was sent, and the answer. */
export const codeForm = (context: FormContext): Html => html`<section>
<h2>Answer with your code</h2>
<p role="status">${codeNotice(context.approver)}</p>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'code')}
<div class="field"><label for="code">Six-digit code</label>
<p class="hint" id="code-hint">A code works for five minutes.</p>
<input class="code" id="code" name="code" required inputmode="numeric" pattern="[0-9 ]*" maxlength="12" autocomplete="one-time-code"${described(context.wrongField === 'code', 'code-hint')}${!context.hasProblem && html` autofocus`}></div>
${answerButtons(context)}
</form>
</section>`;

/** Has a code sent, by the channel that the owner chooses where there is more than one. */
export function sendForm({ approver, path, seal }: FormContext, title: string): Html {
  const usable = approver.authenticationMethods.channels;
  const choices = usable.map(
    (channel, index) =>
      html`<label class="choice"><input type="radio" name="channel" value="${channel}"${index === 0 && html` checked`}> ${channelNames[channel]}</label>`,
  );
  const choice =
    usable.length === 1
      ? hidden('channel', usable[0] ?? '')
      : html`<fieldset><legend>How should we send it?</legend>${choices}</fieldset>`;
  const where = approver.owner.isCustomer
    ? 'the phone number or e-mail address that we have'
    : 'the e-mail address that';
  return html`<section>
<h2>${title}</h2>
<p class="hint">${
    approver.owner.isCustomer
      ? html`It goes to ${where} on record for @${approver.tagString}, and nowhere else.`
      : html`It goes to ${where} <bdi>${approver.owner.applicationName}</bdi> has on record for the owner of @${approver.tagString}.`
  }</p>
<form method="post" action="${path}/code">
${hidden('form', seal)}
${choice}
<button class="quiet">Send me a code</button>
</form>
</section>`;
}
