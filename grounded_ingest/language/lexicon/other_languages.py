"""Function words of languages that cannot be read, without those that are English words too."""

WORDS = (
    # German
    "der das und ist nicht sie wir ihr mit bei auf für von dem des ein eine einen einem einer im zu zum zur sind wird werden haben auch "
    "aber oder wenn dass noch nur nach aus ich du er es mein dein unser kein keine sich vom beim arbeitet wohnt heißt "
    # French
    "le la les une des du et est dans pour pas avec qui que nous vous ils elle elles je tu il mon notre votre leur ce cette ces aux au sont ont "
    "être avoir mais ou donc ne chez n'est c'est j'ai "
    # Spanish and Portuguese
    "el los las una unos del al y es en con por para que se su sus mi tu nuestro usted ustedes yo ella ellos somos está están tiene pero como más muy "
    "o um uma da dos das na nos nas com não é são seu sua você eu ele ela nós mas mais muito "
    # Italian
    "gli uno della dello dei degli delle nel nella sono è non che di con più ma anche lavora vive suo sua mio mia "
    # Dutch
    "het een van zijn niet voor aan naar ook maar bij wij jij zij hij deze dat wordt worden heeft hebben werkt woont "
    # Swedish, Norwegian and Danish
    "och är inte som på av från jag han hon vi ni det ett detta har og ikke jeg af fra hvor "
    # Polish and Czech
    "jest nie się na dla od oraz przez który jako czy jsem není jako při který "
    # Turkish, Indonesian
    "ve bir bu için ile değil çok yang di dengan untuk tidak anda sebagai adalah ini itu saya bekerja"
)
