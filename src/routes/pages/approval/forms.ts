import { type Html, html } from '#lib/html.ts';
import type { AuthenticationMethods, TagOwner } from '#modules/owner-proofs';

/** Who is asked to prove that a tag is hers, and how she can. */
export interface Asked {
  tagString: string;
  owner: TagOwner;
  /** Nothing can be agreed for now, and declined all the same. */
  isSuspended: boolean;
  ways: AuthenticationMethods;
  /** How often somebody can still try to prove that she is the owner. */
  attemptsLeft: number;
}

/** What the forms of one page share. */
export interface FormContext {
  asked: Asked;
  /** False for who has approved already, and where nothing can be agreed. */
  mayApprove: boolean;
  /** The path of the page, to which its forms go. */
  path: string;
  /** By which we know our own forms again. */
  seal: string;
  /** The field that was wrong. */
  wrong: 'password' | 'code' | undefined;
  /** Something was refused, and is to be read first. */
  hasProblem: boolean;
}

const channelNames = { sms: 'Text message (SMS)', whatsapp: 'WhatsApp', email: 'E-mail' } as const;

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`;

/** What a field is described by: what was wrong with it, and what is said beside it. */
const described = (isWrong: boolean, hint?: string): Html => {
  const by = [isWrong ? 'problem' : '', hint ?? ''].filter((id) => id !== '').join(' ');
  return html`${isWrong && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
};

/** Approve and decline; decline alone for who may not approve. */
const answerButtons = ({ mayApprove }: FormContext): Html => html`<div class="buttons">
${mayApprove && html`<button class="main" name="answer" value="approve">Approve</button>`}
<button name="answer" value="decline">Decline</button>
</div>`;

/** PayTag and password, for the owner of a PayTag. */
export const passwordForm = (context: FormContext): Html => html`<section>
<h2>Answer with your password</h2>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'password')}
<div class="field"><label for="paytag">Your PayTag</label>
<input id="paytag" name="paytag" value="@${context.asked.tagString}" required maxlength="64" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"></div>
<div class="field"><label for="password">Your PayTag password</label>
<input id="password" name="password" type="password" required maxlength="256" autocomplete="current-password"${described(context.wrong === 'password')}></div>
${answerButtons(context)}
</form>
</section>`;

/** It says the same whether or not a customer has such an address: any application can send somebody here. */
const codeNotice = ({ owner, tagString }: Asked): string =>
  owner.isCustomer
    ? `If there is such an address on record for @${tagString}, a code is on its way to it.`
    : `A code is on its way to the e-mail address on record for the owner of @${tagString}.`;

/** The code that was sent. */
export const codeForm = (context: FormContext): Html => html`<section>
<h2>Answer with your code</h2>
<p role="status">${codeNotice(context.asked)}</p>
<form method="post" action="${context.path}">
${hidden('form', context.seal)}
${hidden('by', 'code')}
<div class="field"><label for="code">Six-digit code</label>
<p class="hint" id="code-hint">A code works for five minutes.</p>
<input class="code" id="code" name="code" required inputmode="numeric" pattern="[0-9 ]*" maxlength="12" autocomplete="one-time-code"${described(context.wrong === 'code', 'code-hint')}${!context.hasProblem && html` autofocus`}></div>
${answerButtons(context)}
</form>
</section>`;

/** Has a code sent, by a way that she chooses where there is more than one. */
export function sendForm({ asked, path, seal }: FormContext, title: string): Html {
  const { channels } = asked.ways;
  const choices = channels.map(
    (channel, index) =>
      html`<label class="choice"><input type="radio" name="channel" value="${channel}"${index === 0 && html` checked`}> ${channelNames[channel]}</label>`,
  );
  const choice =
    channels.length === 1
      ? hidden('channel', channels[0] ?? '')
      : html`<fieldset><legend>How should we send it?</legend>${choices}</fieldset>`;
  const where = asked.owner.isCustomer ? 'the phone number or e-mail address that we have' : 'the e-mail address that';
  return html`<section>
<h2>${title}</h2>
<p class="hint">${
    asked.owner.isCustomer
      ? html`It goes to ${where} on record for @${asked.tagString}, and nowhere else.`
      : html`It goes to ${where} <bdi>${asked.owner.applicationName}</bdi> has on record for the owner of @${asked.tagString}.`
  }</p>
<form method="post" action="${path}/code">
${hidden('form', seal)}
${choice}
<button class="quiet">Send me a code</button>
</form>
</section>`;
}
