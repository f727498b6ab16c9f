export { bringApplicationForward, bringPartnerForward } from './bring-forward.ts';
export { calmProvider, createDisturber, disturbProvider, listDisturbances } from './disturb-provider.ts';
export { creditApplication } from './fund-application.ts';
export { hookModes } from './hook-mode.ts';
export { readHooks, receiveHook } from './hooks.ts';
export { creditWithTestMoney } from './move-test-money.ts';
export { offerToApplication } from './offer-to-application.ts';
export {
  failTransaction,
  payAtGateway,
  payAtTerminal,
  payInstalment,
  receiveTransfer,
} from './report-test-payments.ts';
export { room } from './room.ts';
export { applicationEvents, partnerEvents, sendApplicationSample, sendPartnerSample } from './send-sample.ts';
