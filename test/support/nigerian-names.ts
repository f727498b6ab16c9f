/** Names that Nigerians have, those among them that remind of a bank or of police too. */
export const firstNames =
  `Ada Adaeze Aisha Ayodele Bola Chidi Chinedu Chukwuemeka Ebuka Efe Emeka Fatima Fidelity Folake Funmilayo Grace
  Halima Ibrahim Ifeanyi Iniobong Jumoke Kelechi Kuda Musa Ngozi Nkechi Obinna Olúwaṣeun Patience Precious Sterling Tamuno
  Temitope Titan Tunde Uche Unity Yakubu Zainab Ɗanladi`.split(/\s+/);
export const lastNames =
  `Abubakar Adebayo Adeyemi Akpan Balogun Bank-Anthony Bankole Bello Danjuma Edet Eze Ibe Igwe Musa Nwosu Obi
  Okafor Okonkwo Okoro Oladipo Onyekachi O'Brien Paul Police-Harry Sanusi Tagbo Tagwai Uba Usman Yar'Adua Zubairu`.split(
    /\s+/,
  );
