import { z } from 'zod';
import { type Html, handle, html } from '#lib/html.ts';
import { verbatim } from '#lib/text/input.ts';
import { type AuthenticationMethods, answers, type Proof, type TagOwner } from '#modules/consent';
import { channels } from '../../providers/messaging/port.ts';
import type { Texts } from './texts.ts';

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
  /** The code that is always sent, where messages are simulated: it is shown at its field. Never in live. */
  testCode: string | undefined;
  /** The field whose value was refused. */
  wrongField: 'password' | 'code' | undefined;
  /** Something was refused: its message is read first. */
  hasProblem: boolean;
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

/** The ARIA attributes of a field: whether it was refused, and what describes it. */
const described = (isWrong: boolean, hint?: string): Html => {
  const by = [isWrong ? 'problem' : '', hint ?? ''].filter((id) => id !== '').join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
};

/** Approve and decline; only decline where nothing may be approved. */
const answerButtons = (t: Texts, { mayApprove }: FormContext): Html => html`<div class="buttons">
${mayApprove && html`<button class="main" name="answer" value="approve">${t.text('approval.approve')}</button>`}
<button name="answer" value="decline">${t.text('approval.decline')}</button>
</div>`;

/** PayTag and password, for the owner of a PayTag, and the answer. */
export const passwordForm = (t: Texts, context: FormContext): Html => html`<section>
<h2>${t.text('approval.password')}</h2>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'password')}
<div class="field"><label for="paytag">${t.text('approval.password.paytag')}</label>
<input id="paytag" name="paytag" value="@${context.approver.tagString}" dir="ltr" required maxlength="64" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"></div>
<div class="field"><label for="password">${t.text('approval.password.field')}</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="current-password"${described(context.wrongField === 'password')}></div>
${answerButtons(t, context)}
</form>
</section>`;

/** Says the same whether or not a customer has such an address: any application can send anybody here. */
const codeNotice = (t: Texts, { owner, tagString }: Approver): Html =>
  t.html(owner.isCustomer ? 'approval.code.customer' : 'approval.code.owner', { tag: handle(tagString) });

/** The code that was sent, and the answer. */
export const codeForm = (t: Texts, context: FormContext): Html => html`<section>
<h2>${t.text('approval.code')}</h2>
<p role="status">${codeNotice(t, context.approver)}</p>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'code')}
<div class="field"><label for="code">${t.text('approval.code.field')}</label>
<p class="hint" id="code-hint">${t.text('approval.code.hint')}${context.testCode !== undefined && html` ${t.text('approval.code.test', { code: context.testCode })}`}</p>
<input class="code" id="code" name="code" dir="ltr" required inputmode="numeric" pattern="[0-9 ]*" maxlength="12" autocomplete="one-time-code"${described(context.wrongField === 'code', 'code-hint')}${!context.hasProblem && html` autofocus`}></div>
${answerButtons(t, context)}
</form>
</section>`;

/** Has a code sent, by the channel that the owner chooses where there is more than one. */
export function sendForm(
  t: Texts,
  { approver, path, seal }: FormContext,
  title: 'approval.send' | 'approval.send.or' | 'approval.send.again',
): Html {
  const usable = approver.authenticationMethods.channels;
  const choices = usable.map(
    (channel, index) =>
      html`<label class="choice"><input type="radio" name="channel" value="${channel}"${index === 0 && html` checked`}> ${t.text(`approval.send.${channel}`)}</label>`,
  );
  const choice =
    usable.length === 1
      ? hidden('channel', usable[0] ?? '')
      : html`<fieldset><legend>${t.text('approval.send.how')}</legend>${choices}</fieldset>`;
  const tag = handle(approver.tagString);
  const where = approver.owner.isCustomer
    ? t.html('approval.send.customer', { tag })
    : t.html('approval.send.owner', { tag, application: html`<bdi>${approver.owner.applicationName}</bdi>` });
  return html`<section>
<h2>${t.text(title)}</h2>
<p class="hint">${where}</p>
<form method="post" action="${path}/code">
${hidden('form', seal)}
${choice}
<button class="quiet">${t.text('approval.send.button')}</button>
</form>
</section>`;
}
